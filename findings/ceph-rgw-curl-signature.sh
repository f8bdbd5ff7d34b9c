#!/bin/sh
# Debian 12: curl 7.88's --aws-sigv4 and Ceph's RGW 16.2 refuse each other. curl signs a request without the header
# x-amz-content-sha256 with the hash of the body; RGW takes a request without this header as signed with UNSIGNED-PAYLOAD, and
# answers 403 to right credentials. libcurl's CURLOPT_AWS_SIGV4 is the same. Sending the header cures both.
set -eu
folder=$(mktemp -d)
trap 'kill $(cat "$folder"/*.pid) 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder"
DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends ceph-mon ceph-osd radosgw ceph-common curl >/dev/null 2>&1

fsid=$(cat /proc/sys/kernel/random/uuid)
cat > ceph.conf <<T
[global]
fsid = $fsid
mon_host = [v1:127.0.0.1:16789]
ms_bind_msgr2 = false
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
run_dir = $folder
admin_socket = $folder/\$name.asok
log_file = $folder/\$name.log
mon_data = $folder/mon
osd_data = $folder/osd
rgw_data = $folder
osd_objectstore = memstore
osd_pool_default_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pg_autoscale_mode = off
mon_max_pg_per_osd = 1000
mon_data_avail_crit = 1
T
export CEPH_CONF="$folder/ceph.conf"
mkdir mon osd
again() { for _ in $(seq 100); do "$@" >/dev/null 2>&1 && return; sleep 0.5; done; echo "fails: $*"; exit 1; }
monmaptool --create --addv a '[v1:127.0.0.1:16789]' --fsid "$fsid" monmap >/dev/null
ceph-mon -i a --mkfs --monmap monmap
ceph-mon -i a -f 2>/dev/null & echo $! > mon.pid
osd=$(cat /proc/sys/kernel/random/uuid)
again ceph --connect-timeout 5 osd new "$osd"
ceph-osd -i 0 --mkfs --osd-uuid "$osd" >/dev/null 2>&1
ceph-osd -i 0 -f >/dev/null 2>&1 & echo $! > osd.pid
radosgw -n client.rgw -f --rgw-frontends='beast endpoint=127.0.0.1:18000' >/dev/null 2>&1 & echo $! > rgw.pid
again curl -s http://127.0.0.1:18000/
again radosgw-admin user create --uid=me --display-name=me --access-key=key --secret-key=secret

ask() { curl -s -o /dev/null -w '%{http_code}\n' --aws-sigv4 aws:amz:us-east-1:s3 --user key:secret "$@" http://127.0.0.1:18000/; }
curl --version | cut -d' ' -f1,2 | head -1
radosgw --version | cut -d' ' -f1-3
{ ask; ask -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD'; } > seen
cat seen
printf '403\n200\n' | diff - seen
