import { fullImageName } from '../../../../shared/kubernetes/image-reference.ts'
import type { WorkingFolder } from '../files/working-folder.ts'

const busyboxPrograms = [
  '[ [[ acpid add-shell addgroup adduser adjtimex ar arch arp arping ascii ash awk base32 base64 basename bc beep blkdiscard',
  'blkid blockdev bootchartd brctl bunzip2 busybox bzcat bzip2 cal cat chat chattr chgrp chmod chown chpasswd chpst chroot chrt',
  'chvt cksum clear cmp comm conspy cp cpio crc32 crond crontab cryptpw cttyhack cut date dc dd deallocvt delgroup deluser depmod',
  'devmem df dhcprelay diff dirname dmesg dnsd dnsdomainname dos2unix dpkg dpkg-deb du dumpkmap dumpleases echo ed egrep eject env',
  'envdir envuidgid ether-wake expand expr factor fakeidentd fallocate false fatattr fbset fbsplash fdflush fdformat fdisk fgconsole',
  'fgrep find findfs flock fold free freeramdisk fsck fsck.minix fsfreeze fstrim fsync ftpd ftpget ftpput fuser getfattr getopt',
  'getty grep groups gunzip gzip halt hd hdparm head hexdump hexedit hostid hostname httpd hush hwclock i2cdetect i2cdump i2cget',
  'i2cset i2ctransfer id ifconfig ifdown ifenslave ifplugd ifup inetd init insmod install ionice iostat ip ipaddr ipcalc ipcrm ipcs',
  'iplink ipneigh iproute iprule iptunnel kbd_mode kill killall killall5 klogd last less link linux32 linux64 linuxrc ln loadfont',
  'loadkmap logger login logname logread losetup lpd lpq lpr ls lsattr lsmod lsof lspci lsscsi lsusb lzcat lzma lzop lzopcat makedevs',
  'makemime man md5sum mdev mesg microcom mim minips mkdir mkdosfs mke2fs mkfifo mkfs.ext2 mkfs.minix mkfs.vfat mknod mkpasswd',
  'mkswap mktemp modinfo modprobe more mount mountpoint mpstat mt mv nameif nanddump nandwrite nbd-client nc netcat netstat nice nl',
  'nmeter nohup nologin nproc nsenter nslookup ntpd nuke od openvt partprobe passwd paste patch pgrep pidof ping ping6 pipe_progress',
  'pivot_root pkill pmap popmaildir poweroff powertop printenv printf ps pscan pstree pwd pwdx raidautorun rdate rdev readahead',
  'readlink readprofile realpath reboot reformime remove-shell renice reset resize resume rev rfkill rm rmdir rmmod route rpm rpm2cpio',
  'rtcwake run-init run-parts runlevel runsv runsvdir rx script scriptreplay sed seedrng sendmail seq setarch setconsole setfattr',
  'setfont setkeycodes setlogcons setpriv setserial setsid setuidgid sh sha1sum sha256sum sha384sum sha3sum sha512sum showkey shred',
  'shuf slattach sleep smemcap softlimit sort split ssl_client ssl_server start-stop-daemon stat strings stty su sulogin sum sv svc',
  'svlogd svok swapoff swapon switch_root sync sysctl syslogd tac tail tar taskset tc tcpsvd tee telnet telnetd test tftp tftpd time',
  'timeout top touch tr traceroute traceroute6 tree true truncate ts tsort tty ttysize tunctl tune2fs ubiattach ubidetach ubimkvol',
  'ubirename ubirmvol ubirsvol ubiupdatevol udhcpc udhcpc6 udhcpd udpsvd uevent umount uname uncompress unexpand uniq unix2dos unit',
  'unlink unlzma unshare unxz unzip uptime usleep users uudecode uuencode vconfig vi vlock volname w wall watch watchdog wc wget',
  'which who whoami whois xargs xxd xz xzcat yes zcat zcip',
].flatMap((line) => line.split(' '))

const alpinePrograms = ['apk c_rehash getconf getent iconv ldconfig ldd scanelf'].flatMap((line) =>
  line.split(' '),
)

const noPrograms: ReadonlySet<string> = new Set()

/** The only programs of two of these images. */
const atTheRoot = /^\/(?:pause|hello)$/

/**
 * What is in the PATH of an image, by the end of its repository. Of busybox every applet that some build has, so that none is called
 * missing that is there.
 */
const contents: readonly (readonly [repository: RegExp, programs: ReadonlySet<string>])[] = [
  [/\/busybox$/, new Set(busyboxPrograms)],
  [/\/alpine$/, new Set([...busyboxPrograms, ...alpinePrograms])],
  [/\/(pause|hello-world)$|^gcr\.io\/distroless\/(static|base)(-debian\d+)?$/, noPrograms],
]

/** What is known to be missing in an image of which not everything is known: those on Debian, unless the tag says Alpine. */
const lacking: readonly (readonly [repository: RegExp, programs: ReadonlySet<string>])[] = [
  [/\/nginx(-slim)?$/, new Set('killall nc pgrep ping pkill telnet wget'.split(' '))],
]

function partsOf(image: string): readonly [repository: string, tag: string] {
  const name = fullImageName(image) ?? image
  const [, repository = name, tag = ''] = /^(.*?)(:[^/@]*)?(?:@.*)?$/.exec(name) ?? []
  return [repository, tag]
}

/** Undefined where what the image has is not known. */
function programsOf(image: string): ReadonlySet<string> | undefined {
  const [repository, tag] = partsOf(image)
  if (tag.includes('debug')) return undefined
  return contents.find(([pattern]) => pattern.test(repository))?.[1]
}

export function hasKnownPrograms(image: string): boolean {
  return programsOf(image) !== undefined
}

const inPath = /^\/(?:usr\/(?:local\/)?)?s?bin\/([^/]+)$/

/** Its name alone, for a path in a folder of the PATH. */
export function nameInPath(program: string): string {
  return inPath.exec(program)?.[1] ?? program
}

/** Whether an image certainly has no program of that name, or at that path of the PATH. */
function imageLacks(image: string, name: string): boolean {
  const programs = programsOf(image)
  const plain = nameInPath(name)
  if (plain.includes('/')) return false
  if (programs !== undefined) return !programs.has(plain)
  const [repository, tag] = partsOf(image)
  const lacks = lacking.find(([pattern]) => pattern.test(repository))?.[1]
  return lacks?.has(plain) === true && !tag.includes('alpine')
}

/** Whether the files of the container decide that a program is there: the image is known, and the path is none of the PATH. */
function isDecidedByFiles(image: string, name: string): boolean {
  const isElsewhere = name.includes('/') && !inPath.test(name) && !atTheRoot.test(name)
  return isElsewhere && hasKnownPrograms(image)
}

/** What a shell itself runs, without being a program of the image. */
const ofShells = new Set(
  '. : alias bg bind break builtin caller cd command compgen complete continue declare dirs disown enable eval exec exit export fc fg function getopts hash help history jobs let local logout mapfile popd pushd read readarray readonly return select set shift shopt source suspend times trap type typeset ulimit umask unalias unset wait'.split(
    ' ',
  ),
)

/** Whether a shell finds a program of that name, as far as it is known. */
export function whyShellFindsNone(
  image: string,
  name: string,
  files: WorkingFolder,
): Missing | undefined {
  return ofShells.has(name) ? undefined : whyNotExecuted(image, name, files)
}

/** Whether it is known, at the latest when it runs, that a shell finds no such program. */
export function shellMayLack(image: string, name: string): boolean {
  return !ofShells.has(name) && (imageLacks(image, name) || isDecidedByFiles(image, name))
}

type Missing = 'not in PATH' | 'not found' | 'not executable'

/** Why a program cannot be executed in a container of an image; undefined if it can, or if that is not known. */
export function whyNotExecuted(
  image: string,
  name: string,
  files: WorkingFolder,
): Missing | undefined {
  if (imageLacks(image, name)) return name.includes('/') ? 'not found' : 'not in PATH'
  if (!isDecidedByFiles(image, name)) return undefined
  const node = files.node(name)
  if (!node.ok) return 'not found'
  const isExecutable = node.value.kind === 'file' && (node.value.mode & 0o111) !== 0
  return isExecutable ? undefined : 'not executable'
}

/** As runc 1.1 words it (libcontainer/init_linux.go, os/exec). */
export function startErrorText(name: string, missing: Missing): string {
  const reasons: Readonly<Record<Missing, string>> = {
    'not in PATH': 'executable file not found in $PATH',
    'not found': `stat ${name}: no such file or directory`,
    'not executable': 'permission denied',
  }
  return `unable to start container process: exec: ${JSON.stringify(name)}: ${reasons[missing]}: unknown`
}

/** As busybox's shell words it, with its status. */
export function shellErrorOf(missing: Missing): readonly [text: string, status: number] {
  return missing === 'not executable' ? ['Permission denied', 126] : ['not found', 127]
}
