import { createHash } from 'node:crypto'
import type { Hash } from '../kubelet/ports.ts'

/** MD5 by Node; names pods, protects nothing. */
export const nodeHash: Hash = {
  md5Hex: (text) => createHash('md5').update(text, 'utf8').digest('hex'),
}
