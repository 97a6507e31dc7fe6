import type { ReactNode } from 'react'
import type { PodSource } from '../../shared/model/pod-source.ts'
import { classNames } from './class-names.ts'
import { Glyph } from './signs/Glyph.tsx'
import styles from './Tag.module.css'

export function SourceTag({ source }: { readonly source: PodSource }): ReactNode {
  return (
    <span className={classNames(styles['tag'], styles[source])}>
      <Glyph name={source} />
      {source}
    </span>
  )
}

export function StaticTag(): ReactNode {
  return (
    <span className={classNames(styles['tag'], styles['static'])}>
      <Glyph name="static" />
      static
    </span>
  )
}

export function MirrorTag({ word = 'mirror' }: { readonly word?: string }): ReactNode {
  return (
    <span className={classNames(styles['tag'], styles['mirror'])}>
      <Glyph name="mirror" />
      {word}
    </span>
  )
}
