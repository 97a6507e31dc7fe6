import type { HostPayload } from '../../../kubelet/host/host-files.ts'
import type { FileNode, Folder } from './file-node.ts'

/** See HostFiles. False for a payload with folders of its own. */
export function holdsPayload({ entries }: Folder, payload: HostPayload): boolean {
  const link = entries.get('..data')
  const current = link?.kind === 'symlink' ? entries.get(link.target) : undefined
  if (current?.kind !== 'folder' || current.entries.size !== payload.size) return false
  for (const [name, { data }] of payload)
    if (entries.get(name)?.kind !== 'symlink' || !hasData(current.entries.get(name), data))
      return false
  return true
}

function hasData(node: FileNode | undefined, data: string | Uint8Array): boolean {
  if (node?.kind !== 'file') return false
  const held = node.data
  if (typeof held === 'string' || typeof data === 'string') return held === data
  return held.length === data.length && held.every((byte, index) => byte === data[index])
}
