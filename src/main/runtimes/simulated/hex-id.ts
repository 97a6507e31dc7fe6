import type { Random } from '../../kubelet/ports.ts'

/** 64 hexadecimal digits, like containerd's ids. */
export function hexId(random: Random): string {
  const words = Array.from({ length: 8 }, () => Math.floor(random.next() * 2 ** 32))
  return words.map((word) => word.toString(16).padStart(8, '0')).join('')
}
