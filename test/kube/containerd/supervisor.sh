# A containerd in process and mount namespaces of its own, which starts and dies by the lines of stdin. At their end,
# also when the program that writes them is killed, all of its processes end, and with them its mounts and network
# interfaces; what is left of cgroups and folders is removed.
# Use: sh supervisor.sh FOLDER CONTAINERD
set -u
folder=$1 containerd=$2
# Folders of containerd and CNI whose places cannot be configured.
fixed='/run/containerd /var/lib/cni'

serve() {
  for path in $fixed; do mount -t tmpfs none "$path" || exit 1; done
  while read -r word; do
    case $word in
    start)
      "$containerd" --config "$folder/config.toml" >>"$folder/containerd.log" 2>&1 &
      pid=$!
      ;;
    kill)
      kill -KILL "$pid"
      # The shell reports how it ended.
      wait "$pid" 2>/dev/null
      ;;
    esac
  done
}

if [ "${NODESCOPE_INSIDE:-}" = 1 ]; then
  serve
  exit
fi

cgroups() {
  for name in kubepods k8s.io; do ls -d /sys/fs/cgroup/"$name" /sys/fs/cgroup/*/"$name" 2>/dev/null; done
}

had=$(cgroups)
forward=$(cat /proc/sys/net/ipv4/ip_forward)
made=
for path in $fixed; do [ -d "$path" ] || { mkdir -p "$path" && made="$path $made"; }; done
trap '' INT TERM HUP

NODESCOPE_INSIDE=1 unshare --mount --pid --fork --mount-proc --propagation slave sh "$0" "$@"

# Cgroups are empty as soon as the kernel is done with their last process.
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  left=
  for path in $(cgroups); do
    case " $(echo $had) " in *" $path "*) continue ;; esac
    find "$path" -depth -type d -exec rmdir {} + 2>/dev/null || left=1
  done
  [ -z "$left" ] && break
  sleep 0.2
done
# Without its pods nothing here forwards; the network plugin has switched it on.
[ "$forward" = 0 ] && echo 0 >/proc/sys/net/ipv4/ip_forward
for path in $made; do rmdir "$path" 2>/dev/null; done
rm -rf "$folder"
