import type { CSSProperties } from 'react'

/** How many colors the frames of clusters have. */
const clusterColors = 6

/** `--cl`: the color of a cluster's frame and plate; `color` from 0 to 5. Pure. */
export function clusterStyle(color: number): CSSProperties {
  return { ['--cl' as string]: `var(--cl-${color % clusterColors})` }
}
