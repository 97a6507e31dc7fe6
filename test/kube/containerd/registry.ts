import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { busyboxImage } from './oci-image.ts'

/** Where the runtime pulls images from. */
export interface Registry {
  readonly url: string
  readonly stop: () => void
}

/** The tag of images that it does not have. */
const missingTag = 'missing'

/** A registry of images on loopback that has busybox under every name, but for the tag `missing`. */
export function startRegistry(busybox: string): Promise<Registry> {
  const blobs = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const answer = (body: Buffer, type: string, more: Readonly<Record<string, string>> = {}) => {
      const headers = { 'content-type': type, 'content-length': body.length, ...more }
      response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : body)
    }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://registry')
    const [, name = '', kind, reference = ''] =
      /^\/v2\/(.+)\/(manifests|blobs)\/(.+)$/.exec(pathname) ?? []
    if (kind === 'manifests' && !reference.startsWith('sha256:') && reference !== missingTag) {
      const image = busyboxImage(busybox, {
        name: `${searchParams.get('ns')}/${name}:${reference}`,
      })
      for (const [digest, blob] of image.blobs) blobs.set(digest, blob)
      const { mediaType, digest } = image.manifest
      answer(blobs.get(digest) ?? Buffer.alloc(0), mediaType, { 'docker-content-digest': digest })
      return
    }
    const blob = blobs.get(reference)
    if (blob === undefined) response.writeHead(404).end()
    else if (kind === 'blobs') answer(blob, 'application/octet-stream')
    else answer(blob, 'application/vnd.oci.image.manifest.v1+json')
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo // a server of TCP has one
      resolve({
        url: `http://127.0.0.1:${port}`,
        stop: () => {
          server.close()
          server.closeAllConnections()
        },
      })
    })
  })
}
