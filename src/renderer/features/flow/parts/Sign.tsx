import type { ReactNode } from 'react'
import type { PodSource } from '../../../../shared/model/pod-source.ts'
import type { GlyphName } from '../../../ui/signs/Glyph.tsx'
import { GlyphShape } from '../../../ui/signs/Glyph.tsx'
import { classNames } from '../../../ui/class-names.ts'
import styles from './Picture.module.css'

export const sourceInks: Readonly<Record<PodSource, string | undefined>> = {
  api: styles['apiInk'],
  file: styles['fileInk'],
  http: styles['httpInk'],
}

/** A glyph inside the picture, `size` units wide. */
export function Sign({
  name,
  x,
  y,
  size,
  ink,
}: {
  readonly name: GlyphName
  readonly x: number
  readonly y: number
  readonly size: number
  readonly ink?: string | undefined
}): ReactNode {
  return (
    <g transform={`translate(${x} ${y}) scale(${size / 12})`} className={classNames(ink)}>
      <GlyphShape name={name} />
    </g>
  )
}
