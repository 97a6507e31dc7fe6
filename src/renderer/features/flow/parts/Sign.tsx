import type { ReactNode } from 'react'
import type { PodSource } from '../../../../shared/model/pod-source.ts'
import type { GlyphName } from '../../../ui/signs/Glyph.tsx'
import { GlyphShape } from '../../../ui/signs/Glyph.tsx'
import { classNames } from '../../../ui/class-names.ts'
import type { Point } from '../layout/box.ts'
import styles from './Picture.module.css'

interface SignProps extends Point {
  readonly name: GlyphName
  readonly size: number
  readonly className?: string | undefined
}

/** A glyph inside the picture, `size` units wide. */
export function Sign({ name, x, y, size, className }: SignProps): ReactNode {
  return (
    <g transform={`translate(${x} ${y}) scale(${size / 12})`} className={classNames(className)}>
      <GlyphShape name={name} />
    </g>
  )
}

export function SourceSign({
  name,
  ...place
}: SignProps & { readonly name: PodSource }): ReactNode {
  return <Sign {...place} name={name} className={styles[`${name}Ink`]} />
}
