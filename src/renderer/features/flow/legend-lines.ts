import type { Box } from './parts.ts'

/** The lines under the sources, in the picture's units. */
export const legendTop = 504
export const lineHeight = 18
export const rootsShown = 6

export function rootBox(index: number): Box {
  return { x: 40, y: legendTop - 9 + index * lineHeight, width: 404, height: lineHeight }
}
