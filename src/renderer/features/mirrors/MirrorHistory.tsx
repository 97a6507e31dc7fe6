import type { ReactNode } from 'react'
import { shortId } from '../../../shared/model/explanation/explanation-words.ts'
import type { MirrorHistoryEntry } from '../../../shared/model/pod-objects.ts'
import { useTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import type { GlyphName } from '../../ui/signs/Glyph.tsx'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import { clockText, fullTimeText, preciseClockText } from '../../words/time.ts'
import { mirrorSpans, missingMs } from './mirror-spans.ts'
import styles from './MirrorHistory.module.css'

const words = text.mirrors.history

interface KindSign {
  readonly glyph: GlyphName
  readonly tone: string
}

const kindSigns: Readonly<Record<MirrorHistoryEntry['kind'], KindSign>> = {
  created: { glyph: 'mirror', tone: 'made' },
  linked: { glyph: 'matched', tone: 'quiet' },
  deleted: { glyph: 'deleting', tone: 'gone' },
  unlinked: { glyph: 'none', tone: 'quiet' },
  failed: { glyph: 'missing', tone: 'failed' },
  skipped: { glyph: 'orphan', tone: 'gone' },
}

interface TimelineProps {
  /** Newest first. */
  readonly moments: readonly MirrorHistoryEntry[]
  readonly now: number
}

/** When which mirror was in the API, from the oldest moment to now. */
function Timeline({ moments, now }: TimelineProps): ReactNode {
  const spans = mirrorSpans(moments)
  const start = moments.at(-1)?.at ?? now
  const share = (milliseconds: number): number => (milliseconds / Math.max(1, now - start)) * 100
  const caption = words.caption(spans.length, start, missingMs(spans, now))
  return (
    <figure className={styles['strip']} aria-label={caption}>
      <figcaption>{caption}</figcaption>
      <div className={styles['track']} aria-hidden="true">
        {spans.map(({ mirrorUid, from, to }) => {
          const width = share((to ?? now) - from)
          return (
            <span
              key={mirrorUid}
              className={classNames(styles['span'], to === null && styles['live'])}
              style={{ left: `${share(from - start)}%`, width: `${width}%` }}
              title={words.span(mirrorUid, from, to, now)}
            >
              {width > 12 ? <span className={styles['short']}>{shortId(mirrorUid)}</span> : null}
            </span>
          )
        })}
        {moments
          .filter(({ kind }) => kind === 'failed')
          .map(({ seq, at }) => (
            <span
              key={seq}
              className={styles['failure']}
              style={{ left: `${share(at - start)}%` }}
            />
          ))}
      </div>
      <div className={styles['times']} aria-hidden="true">
        <span>{clockText(start)}</span>
        <span className={styles['now']}>{words.now(now)}</span>
      </div>
    </figure>
  )
}

function Moment({ moment }: { readonly moment: MirrorHistoryEntry }): ReactNode {
  const { at, kind, mirrorUid, text: sentence } = moment
  const { glyph, tone } = kindSigns[kind]
  return (
    <li className={styles['moment']}>
      <time title={fullTimeText(at)}>{preciseClockText(at)}</time>
      <span className={classNames(styles['kind'], styles[tone])}>
        <Glyph name={glyph} />
        {kind}
      </span>
      <span className={styles['text']}>{sentence}</span>
      <span className={styles['uid']} title={mirrorUid}>
        {shortId(mirrorUid)}
      </span>
    </li>
  )
}

interface MirrorHistoryProps {
  readonly cluster: string
  readonly moments: readonly MirrorHistoryEntry[]
  readonly label: string
}

/** When the mirrors of one full name were created, linked and deleted, newest first. */
export function MirrorHistory({ cluster, moments, label }: MirrorHistoryProps): ReactNode {
  const second = useTicking(cluster, (now) => Math.floor(now / 1000) * 1000, 0)
  const now = Math.max(second, moments[0]?.at ?? 0)
  return (
    // It scrolls, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles['scroller']} tabIndex={0} aria-label={label}>
      {moments.length === 0 ? (
        <p className={styles['none']}>{words.none}</p>
      ) : (
        <>
          <Timeline moments={moments} now={now} />
          <ol className={styles['list']}>
            {moments.map((moment) => (
              <Moment key={moment.seq} moment={moment} />
            ))}
          </ol>
        </>
      )}
    </section>
  )
}
