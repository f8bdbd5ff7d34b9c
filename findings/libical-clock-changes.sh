#!/bin/sh
# libical 3.0.16: what the iterator of recurrences does with times in a time zone when clocks change. If a daily time does
# not exist on one day (clocks are set forward), that day's time is an hour later, and so are the times of all later days.
# A local time that happens twice (clocks are set back) becomes the second one, although RFC 5545, section 3.3.5, says the
# first one. An iterator without a time zone keeps the local time; the caller must then convert each time to UTC.
set -eu
version=3.0.16-1+b1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download "libical3=$version" "libical-dev=$version" 2>/dev/null
for package in *.deb; do dpkg -x "$package" root; done
library=root/usr/lib/$(uname -m)-linux-gnu

cat > times.c <<'P'
#include <libical/ical.h>
#include <stdio.h>
#include <time.h>

// Prints the first four times of a rule, as local times with the hours since the time before.
static void times(const char* name, const char* start, const char* zone_name) {
  icaltimezone* zone = zone_name == NULL ? NULL : icaltimezone_get_builtin_timezone(zone_name);
  struct icaltimetype at = icaltime_from_string(start);
  if (zone != NULL) at = icaltime_set_timezone(&at, zone);
  icalrecur_iterator* rule = icalrecur_iterator_new(icalrecurrencetype_from_string("FREQ=DAILY;COUNT=4"), at);
  printf("%s:", name);
  time_t before = 0;
  for (struct icaltimetype next = icalrecur_iterator_next(rule); !icaltime_is_null_time(next);
       next = icalrecur_iterator_next(rule)) {
    const time_t utc = icaltime_as_timet_with_zone(next, zone);
    printf(" %02d:%02d", next.hour, next.minute);
    if (before != 0 && zone != NULL) printf(" (+%ld h)", (long)(utc - before) / 3600);
    before = utc;
  }
  printf("\n");
  icalrecur_iterator_free(rule);
}

int main(void) {
  times("spring in Berlin", "20270326T023000", "Europe/Berlin");
  times("spring in New York", "20270312T023000", "America/New_York");
  times("spring without a zone", "20270326T023000", NULL);
  times("autumn in Berlin", "20271029T023000", "Europe/Berlin");
  return 0;
}
P
gcc -o times times.c -Iroot/usr/include "$library"/libical.so.3 -Wl,-rpath-link,"$library"
echo "libical $version"
LD_LIBRARY_PATH=$library ./times | tee seen
cat > expected <<'T'
spring in Berlin: 02:30 02:30 (+24 h) 03:30 (+24 h) 03:30 (+24 h)
spring in New York: 02:30 02:30 (+24 h) 03:30 (+24 h) 03:30 (+24 h)
spring without a zone: 02:30 02:30 02:30 02:30
autumn in Berlin: 02:30 02:30 (+24 h) 02:30 (+25 h) 02:30 (+24 h)
T
diff expected seen
