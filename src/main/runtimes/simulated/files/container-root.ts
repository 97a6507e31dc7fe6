import { fullImageName } from '../../../../shared/kubernetes/image-reference.ts'
import type { DnsConfig, Mount } from '../../../kubelet/cri-types.ts'
import type { Clock } from '../../../kubelet/ports.ts'
import type { FileNode, Folder } from './file-node.ts'
import { newDevice, newFolder, overlayOf } from './file-node.ts'
import type { MountedNode } from './file-tree.ts'
import { FileTree } from './file-tree.ts'
import { SharedTexts } from './shared-texts.ts'
import { cleanPath } from './working-folder.ts'

const folders = [
  '/bin /dev /etc /home /lib /mnt /opt /proc /root /run /srv /sys /tmp /usr/bin /usr/local/bin /usr/sbin',
  '/var/log /var/run /var/tmp /var/lib /var/cache',
].flatMap((line) => line.split(' '))

const shells = ['sh', 'cat', 'ls', 'sleep', 'echo', 'true', 'false', 'date', 'grep', 'tar', 'test']

/** Files of known images beyond those that every image has, by the end of the repository. */
const imageFiles: readonly (readonly [image: RegExp, files: Readonly<Record<string, string>>])[] = [
  [
    /\/nginx(-slim)?$/,
    {
      '/usr/share/nginx/html/index.html':
        '<!DOCTYPE html>\n<html>\n<head>\n<title>Welcome to nginx!</title>\n</head>\n<body>\n<h1>Welcome to nginx!</h1>\n</body>\n</html>\n',
      '/etc/nginx/nginx.conf': 'include /etc/nginx/conf.d/*.conf;\n',
      '/etc/nginx/conf.d/default.conf': 'server { listen 80; }\n',
    },
  ],
  [
    /\/httpd$/,
    { '/usr/local/apache2/htdocs/index.html': '<html><body><h1>It works!</h1></body></html>\n' },
  ],
]

const filesOfEveryImage = {
  '/etc/passwd':
    'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n',
  '/etc/group': 'root:x:0:\n',
}

const osReleases: readonly (readonly [image: RegExp, text: string])[] = [
  [/\/alpine$/, 'NAME="Alpine Linux"\nID=alpine\n'],
  [/\/ubuntu$/, 'NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n'],
  [/\/(nginx|nginx-slim|httpd|redis|debian|bash)$/, 'NAME="Debian GNU/Linux"\nID=debian\n'],
]

/** What its sandbox decides of a container's files. */
export interface SandboxFiles {
  /** Undefined if it is the node's. */
  readonly hostname: string | undefined
  readonly resolvConf: string
  /** Undefined with the host's network. */
  readonly address: string | undefined
}

interface ContainerRoot {
  readonly image: string
  /** Where its processes start; it is made if it is missing, as by runc. Empty: none of its own. */
  readonly folder: string
  readonly sandbox: SandboxFiles
  readonly mounts: readonly Mount[]
  /** What is mounted at each of them; undefined: nothing. */
  readonly mounted: readonly (FileNode | undefined)[]
  readonly clock: Pick<Clock, 'now'>
}

/** The name of a container's machine. */
export function hostnameOf({ hostname = 'node' }: SandboxFiles): string {
  return hostname
}

/** Those of its image, /etc/hosts and the like, and its mounts. */
export function containerFiles(deps: ContainerRoot): FileTree {
  const { clock } = deps
  const now = (): number => clock.now()
  const mounts = mountsByPath(deps)
  const root = overlayOf(imageRoot(deps.image))
  const tree = new FileTree({ root, now, texts })
  for (const [path, text] of Object.entries(filesOfSandbox(deps.sandbox))) tree.write(path, text)
  for (const [path, { node }] of mounts) {
    tree.makeFolders(node.kind === 'folder' ? path : path.slice(0, path.lastIndexOf('/')))
    if (node.kind !== 'folder') tree.write(path, '')
  }
  const whole = mounts.size === 0 ? tree : new FileTree({ root, now, mounts })
  if (deps.folder !== '') whole.makeFolders(deps.folder)
  return whole
}

/** Names in the trees of all containers. */
const texts = new SharedTexts()
/** By the files that an image has beyond those of every image. */
const imageRoots = new Map<unknown, Map<unknown, Folder>>()
/** When the images were built, as far as their files show. */
const builtAt = Date.UTC(2025, 0, 1)

/** The files of an image, the same for all containers: none changes them. */
function imageRoot(image: string): Folder {
  const repository = (fullImageName(image) ?? image).replace(/(:[^/]*)?(@.*)?$/, '')
  const files = imageFiles.find(([name]) => name.test(repository))?.[1]
  const release = osReleases.find(([name]) => name.test(repository))?.[1]
  const withFiles = imageRoots.get(files) ?? new Map<unknown, Folder>()
  imageRoots.set(files, withFiles)
  const root =
    withFiles.get(release) ??
    newImageRoot({
      ...filesOfEveryImage,
      ...(release === undefined ? {} : { '/etc/os-release': release }),
      ...files,
    })
  withFiles.set(release, root)
  return root
}

function newImageRoot(files: Readonly<Record<string, string>>): Folder {
  const root = newFolder(builtAt)
  const tree = new FileTree({ root, now: () => builtAt, texts })
  for (const folder of folders) tree.makeFolders(folder)
  for (const [path, text] of Object.entries(files)) {
    tree.makeFolders(path.slice(0, path.lastIndexOf('/')))
    tree.write(path, text)
  }
  for (const name of shells) tree.write(`/bin/${name}`, '', 0o755)
  const dev = tree.node('/dev')
  if (dev.ok && dev.value.kind === 'folder')
    dev.value.entries.put('null', newDevice('null', builtAt))
  return root
}

function mountsByPath({ mounts, mounted }: ContainerRoot): ReadonlyMap<string, MountedNode> {
  const nodes = new Map<string, MountedNode>()
  for (const [index, { containerPath, readonly }] of mounts.entries()) {
    const node = mounted[index]
    if (node !== undefined)
      nodes.set(cleanPath(containerPath), { node, isReadOnly: readonly === true })
  }
  return nodes
}

/** What the node has at the mounts' host paths now: a mount keeps its file or folder, whatever becomes of the path. */
export function mountedNodes(
  mounts: readonly Mount[],
  host: FileTree,
): readonly (FileNode | undefined)[] {
  return mounts.map(({ hostPath }) => {
    // A host path that is missing becomes a folder.
    if (!host.node(hostPath).ok) host.makeFolders(hostPath)
    const found = host.node(hostPath)
    return found.ok ? found.value : undefined
  })
}

/** /etc/resolv.conf as containerd writes it (sandbox_run_linux.go parseDNSOptions). */
export function resolvConfOf({
  servers = [],
  searches = [],
  options = [],
}: DnsConfig = {}): string {
  const lines = servers.map((server) => `nameserver ${server}`)
  if (searches.length > 0) lines.unshift(`search ${searches.join(' ')}`)
  if (options.length > 0) lines.push(`options ${options.join(' ')}`)
  return lines.map((line) => `${line}\n`).join('')
}

function filesOfSandbox(sandbox: SandboxFiles): Readonly<Record<string, string>> {
  const { resolvConf, address } = sandbox
  const hostname = hostnameOf(sandbox)
  return {
    '/etc/hostname': `${hostname}\n`,
    '/etc/hosts': `127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n${
      address === undefined ? '' : `${address}\t${hostname}\n`
    }`,
    '/etc/resolv.conf': resolvConf,
  }
}
