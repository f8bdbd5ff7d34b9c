// main() of a program whose own is in its library, under another name: a source that has next to no
// headers, where one that has the library's would take as long to compile as a tenth of them.
int VITRAIL_MAIN(int argc, char** argv);

int main(int argc, char** argv) {
  return VITRAIL_MAIN(argc, argv);
}
