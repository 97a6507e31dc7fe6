import { anchors, pages } from './anchors.ts'
import type { Anchor } from './anchors.ts'

/** `Pod workers: Worker loop`. */
export function sectionTitle(anchor: Anchor): string {
  const page = Object.entries(pages).find(([name]) => anchor.startsWith(`${name}#`))
  return `${page?.[1] ?? ''}: ${anchors[anchor]}`
}
