// main() of a program whose own main function is in a library under another name. This source
// includes no library headers, so it compiles fast.
int VITRAIL_MAIN(int argc, char** argv);

int main(int argc, char** argv) {
  return VITRAIL_MAIN(argc, argv);
}
