import type { ReactNode } from 'react'
import type { PodSource } from '../../shared/model/pod-source.ts'
import { text } from '../text/text.ts'
import { classNames } from './class-names.ts'
import { Glyph } from './signs/Glyph.tsx'
import styles from './Tag.module.css'

function Tag({
  kind,
  word = kind,
}: {
  readonly kind: PodSource | 'static' | 'mirror'
  readonly word?: string
}): ReactNode {
  return (
    <span className={classNames(styles['tag'], styles[kind])}>
      <Glyph name={kind} />
      {word}
    </span>
  )
}

export function SourceTag({ source }: { readonly source: PodSource }): ReactNode {
  return <Tag kind={source} />
}

export function StaticTag(): ReactNode {
  return <Tag kind="static" word={text.common.signs.static} />
}

export function MirrorTag({
  word = text.common.signs.mirror,
}: {
  readonly word?: string
}): ReactNode {
  return <Tag kind="mirror" word={word} />
}
