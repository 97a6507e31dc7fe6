import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** An entry of a tar archive: a file, or a symbolic link to `link`; a name with a slash at the end is a folder. */
interface TarEntry {
  readonly name: string
  readonly mode?: number
  readonly content?: Buffer | string
  readonly link?: string
}

const blockBytes = 512

/** A ustar archive whose bytes depend on the entries only. */
function tar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? '')
    const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes)
    return [header(entry, content.length), content, padding]
  })
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)])
}

function header({ name, mode, link }: TarEntry, size: number): Buffer {
  const isFolder = name.endsWith('/')
  const block = Buffer.alloc(blockBytes)
  block.write(name, 0, 100)
  const octal = (value: number, at: number, digits: number): void => {
    block.write(`${value.toString(8).padStart(digits, '0')}\0`, at)
  }
  octal(mode ?? (isFolder ? 0o755 : 0o644), 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(size, 124, 11)
  octal(0, 136, 11)
  const kind = isFolder ? '5' : '0'
  block.write(link === undefined ? kind : '2', 156)
  block.write(link ?? '', 157, 100)
  block.write('ustar\x0000', 257)
  // The checksum is of the header with spaces in its place.
  block.fill(' ', 148, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

const layers = new Map<string, Buffer>()

/** The root file system of an image: a static busybox under each of its names. */
function busyboxLayer(busybox: string): Buffer {
  const layer = layers.get(busybox) ?? makeBusyboxLayer(busybox)
  layers.set(busybox, layer)
  return layer
}

function makeBusyboxLayer(busybox: string): Buffer {
  const names = execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n')
  const links = names.filter((name) => name !== 'busybox')
  return tar([
    ...['bin/', 'dev/', 'etc/', 'proc/', 'root/', 'sys/', 'var/'].map((name) => ({ name })),
    { name: 'tmp/', mode: 0o1777 },
    { name: 'etc/passwd', content: 'root:x:0:0:root:/root:/bin/sh\nweb:x:1000:1000::/:/bin/sh\n' },
    { name: 'etc/group', content: 'root:x:0:\nweb:x:1000:\n' },
    { name: 'bin/busybox', mode: 0o755, content: readFileSync(busybox) },
    ...links.map((name) => ({ name: `bin/${name}`, mode: 0o755, link: 'busybox' })),
  ])
}

/** An image of the archive. */
export interface Image {
  /** With registry and tag. */
  readonly name: string
  readonly command?: readonly string[]
  readonly user?: string
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json'

interface Descriptor {
  readonly digest: string
  readonly size: number
}

/** An image with its manifest, and its contents by their digests. */
interface StoredImage {
  readonly manifest: Descriptor & { readonly mediaType: string }
  readonly blobs: ReadonlyMap<string, Buffer>
}

/** Busybox as an image: each has the same layer, and a config of its own. */
export function busyboxImage(busybox: string, image: Image): StoredImage {
  const { name, command = ['sh'], user = '' } = image
  const blobs = new Map<string, Buffer>()
  const put = (content: Buffer | object): Descriptor => {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
    blobs.set(digest, bytes)
    return { digest, size: bytes.length }
  }
  const layer = put(busyboxLayer(busybox))
  const config = put({
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    os: 'linux',
    config: {
      Cmd: command,
      User: user,
      Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
      Labels: { name },
    },
    rootfs: { type: 'layers', diff_ids: [layer.digest] },
  })
  const manifest = put({
    schemaVersion: 2,
    mediaType: manifestType,
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
    layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', ...layer }],
  })
  return { manifest: { mediaType: manifestType, ...manifest }, blobs }
}

/** An OCI image layout as a tar archive, for `ctr images import`. */
export function busyboxArchive(busybox: string, images: readonly Image[]): Buffer {
  const stored = images.map((image) => ({ image, ...busyboxImage(busybox, image) }))
  const blobs = new Map(stored.flatMap((one) => [...one.blobs]))
  const index = {
    schemaVersion: 2,
    manifests: stored.map(({ manifest, image }) => ({
      ...manifest,
      annotations: { 'io.containerd.image.name': image.name },
    })),
  }
  return tar([
    { name: 'oci-layout', content: JSON.stringify({ imageLayoutVersion: '1.0.0' }) },
    { name: 'index.json', content: JSON.stringify(index) },
    ...[...blobs].map(([digest, content]) => ({
      name: `blobs/${digest.replace(':', '/')}`,
      content,
    })),
  ])
}
