#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>
#include "codecs/color/color_transform.h"
using namespace codecs;
#include "de.inc"
int main() {
  for (int tr = 0; tr < 3; ++tr)
    for (double peak : {1000.0, 4000.0}) {
      if (tr && peak > 1000) continue;
      SourceColor film{Primaries::kBt2020,
                       tr == 0   ? Transfer::kPq
                       : tr == 1 ? Transfer::kHlg
                                 : Transfer::kSdr,
                       peak};
      ColorTransform t(film, {});
      double b = t.brightest_signal();
      const double kr = .2627, kb = .0593, kg = 1 - kr - kb;
      auto lev = [&](double y, double cb, double cr) {
        double r = y + 2 * (1 - kr) * cr, bl = y + 2 * (1 - kb) * cb,
               g = (y - kr * r - kb * bl) / kg;
        Rgb s = t.show({std::clamp(r, 0.0, b), std::clamp(g, 0.0, b), std::clamp(bl, 0.0, b)});
        double l = .2126 * s[0] + .7152 * s[1] + .0722 * s[2];
        return Rgb{l, (s[2] - l) / 1.8556, (s[0] - l) / 1.5748};
      };
      for (auto [ny, nc] : {std::pair{33, 17},
                            {33, 25},
                            {33, 33},
                            {49, 33},
                            {65, 17},
                            {65, 25},
                            {65, 33},
                            {65, 49},
                            {65, 65}}) {
        std::vector<Rgb> tab(size_t(ny) * nc * nc);
        for (int i = 0; i < nc; i++)
          for (int j = 0; j < nc; j++)
            for (int k = 0; k < ny; k++)
              tab[(size_t(i) * nc + j) * ny + k] =
                  lev(b * k / (ny - 1), b * ((double)i / (nc - 1) - .5),
                      b * ((double)j / (nc - 1) - .5));
        auto look = [&](double y, double cb, double cr) {
          auto pos = [](double v, int n, int& i) {
            v = std::clamp(v, 0.0, 1.0) * (n - 1);
            i = std::min((int)v, n - 2);
            return v - i;
          };
          int i, j, k;
          double fk = pos(y / b, ny, k), fi = pos(cb / b + .5, nc, i), fj = pos(cr / b + .5, nc, j);
          Rgb o{};
          for (int q = 0; q < 8; q++) {
            double w = ((q & 1) ? fi : 1 - fi) * ((q & 2) ? fj : 1 - fj) * ((q & 4) ? fk : 1 - fk);
            auto& T = tab[(size_t(i + (q & 1)) * nc + j + (q >> 1 & 1)) * ny + k + (q >> 2)];
            for (int c = 0; c < 3; c++) o[c] += w * T[c];
          }
          Rgb s;
          double l = o[0];
          s[0] = l + 1.5748 * o[2];
          s[2] = l + 1.8556 * o[1];
          s[1] = (l - .2126 * s[0] - .0722 * s[2]) / .7152;
          for (auto& v : s) v = std::clamp(v, 0.0, 1.0);
          return s;
        };
        for (double most : {1.0, 0.85, 0.5}) {
          std::vector<double> e;
          int n = 29;
          double sum = 0;
          for (int q = 0; q < n * n * n; q++) {
            Rgb s{b * (q / (n * n)) / (n - 1), b * (q / n % n) / (n - 1), b * (q % n) / (n - 1)};
            double y = kr * s[0] + kg * s[1] + kb * s[2], cb = (s[2] - y) / (2 * (1 - kb)),
                   cr = (s[0] - y) / (2 * (1 - kr));
            double mx = std::max({s[0], s[1], s[2]}), mn = std::min({s[0], s[1], s[2]});
            if (mx > 0 && (mx - mn) / mx > most) continue;
            e.push_back(delta_e(t.show(s), look(y, cb, cr)));
            sum += e.back();
          }
          std::sort(e.begin(), e.end());
          printf("tr%d peak %.0f ny %d nc %d most %.2f mean %.3f p99 %.3f max %.2f\n", tr, peak, ny,
                 nc, most, sum / e.size(), e[e.size() * 99 / 100], e.back());
        }
      }
    }
}
