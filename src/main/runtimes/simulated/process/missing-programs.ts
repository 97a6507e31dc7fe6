import { fullImageName } from '../../../../shared/kubernetes/image-reference.ts'
import type { FileTree } from '../files/file-tree.ts'

/** What busybox 1.35 and 1.36 list as their commands. */
const busyboxPrograms: ReadonlySet<string> = new Set(
  [
    '[ [[ acpid adjtimex ar arch arp arping ascii ash awk base64 basename bc blkdiscard blockdev brctl bunzip2 busybox',
    'bzcat bzip2 cal cat chgrp chmod chown chroot chvt clear cmp cp cpio crc32 crond crontab cttyhack cut date dc dd',
    'deallocvt depmod devmem df diff dirname dmesg dnsdomainname dos2unix du dumpkmap dumpleases echo ed egrep env expand',
    'expr factor fallocate false fatattr fdisk fgrep find findfs fold free freeramdisk fsfreeze fstrim ftpget ftpput getopt',
    'getty grep groups gunzip gzip halt head hexdump hostid hostname httpd hwclock i2cdetect i2cdump i2cget i2cset',
    'i2ctransfer id ifconfig ifdown ifup init insmod ionice ip ipcalc ipneigh kill killall klogd last less link linux32',
    'linux64 linuxrc ln loadfont loadkmap logger login logname logread losetup ls lsmod lsscsi lzcat lzma lzop md5sum mdev',
    'microcom mim mkdir mkdosfs mke2fs mkfifo mknod mkpasswd mkswap mktemp modinfo modprobe more mount mt mv nameif nc',
    'netstat nl nologin nproc nsenter nslookup nuke od openvt partprobe passwd paste patch pidof ping ping6 pivot_root',
    'poweroff printf ps pwd rdate readlink realpath reboot renice reset resume rev rm rmdir rmmod route run-init run-parts',
    'sed seq setkeycodes setpriv setsid sh sha1sum sha256sum sha3sum sha512sum shred shuf sleep sort ssl_client',
    'start-stop-daemon stat strings stty su sulogin svc svok swapoff swapon switch_root sync sysctl syslogd tac tail tar',
    'taskset tc tee telnet telnetd test tftp time timeout top touch tr traceroute traceroute6 true truncate ts tty tunctl',
    'ubirename udhcpc udhcpd uevent umount uname uncompress unexpand uniq unix2dos unlink unlzma unshare unxz unzip uptime',
    'usleep uudecode uuencode vconfig vi w watch watchdog wc wget which who whoami xargs xxd xz xzcat yes zcat',
  ].flatMap((line) => line.split(' ')),
)

/** Images with nothing but the program that they run. Tags with `debug` have busybox too. */
const withoutPrograms =
  /\/(distroless\/[^:@]*|pause|coredns|hello-world|kube-(apiserver|controller-manager|scheduler))(:(?!.*debug)[^/]*)?(@.*)?$/

/** Images with busybox and nothing else. */
const onlyBusybox = /\/busybox(:[^/]*)?(@.*)?$/

/** The programs that are known to be all that an image has; undefined: there may be others. */
function programsOf(image: string): ReadonlySet<string> | undefined {
  const name = fullImageName(image) ?? image
  if (withoutPrograms.test(name)) return new Set()
  return onlyBusybox.test(name) ? busyboxPrograms : undefined
}

/**
 * Why runc cannot run the program of an exec: an image of which all programs are known has none of this name, and no file has
 * the path. Undefined: it may be there.
 */
export function missingProgram(
  image: string,
  program: string,
  files: () => FileTree,
): string | undefined {
  const programs = programsOf(image)
  if (programs === undefined || programs.has(program.replace(/^(\/usr)?\/s?bin\/(?=\w)/, '')))
    return undefined
  if (!program.includes('/'))
    return `exec: ${JSON.stringify(program)}: executable file not found in $PATH`
  const isThere = program.startsWith('/') && files().node(program).ok && programs.size > 0
  return isThere
    ? undefined
    : `exec: ${JSON.stringify(program)}: stat ${program}: no such file or directory`
}
