import type { ReactNode } from 'react'
import type { MirrorMoment } from '../../../shared/model/pod-objects.ts'
import { useTicking } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import type { GlyphName } from '../../ui/signs/Glyph.tsx'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import { clockText, fullTimeText, lastingText, preciseClockText } from '../../words/time.ts'
import { shortId } from '../../../shared/model/explanation/explanation-words.ts'
import type { MirrorSpan } from './mirror-life.ts'
import { mirrorSpans, missingMs } from './mirror-life.ts'
import styles from './MirrorHistory.module.css'

const looks: Readonly<
  Record<MirrorMoment['kind'], { readonly glyph: GlyphName; readonly tone: string }>
> = {
  created: { glyph: 'mirror', tone: 'made' },
  linked: { glyph: 'matched', tone: 'quiet' },
  deleted: { glyph: 'deleting', tone: 'gone' },
  unlinked: { glyph: 'none', tone: 'quiet' },
  failed: { glyph: 'missing', tone: 'failed' },
  skipped: { glyph: 'orphan', tone: 'gone' },
}

function Span({
  span,
  from,
  now,
}: {
  readonly span: MirrorSpan
  readonly from: number
  readonly now: number
}): ReactNode {
  const whole = Math.max(1, now - from)
  const left = ((span.from - from) / whole) * 100
  const width = (((span.to ?? now) - span.from) / whole) * 100
  const end = span.to === null ? 'now' : clockText(span.to)
  return (
    <span
      className={classNames(styles['span'], span.to === null && styles['live'])}
      style={{ left: `${left}%`, width: `${width}%` }}
      title={`mirror ${span.mirrorUid}\n${clockText(span.from)} to ${end}, ${lastingText((span.to ?? now) - span.from)}`}
    >
      {width > 12 ? <span className={styles['short']}>{shortId(span.mirrorUid)}</span> : null}
    </span>
  )
}

function Strip({
  spans,
  moments,
  now,
}: {
  readonly spans: readonly MirrorSpan[]
  readonly moments: readonly MirrorMoment[]
  readonly now: number
}): ReactNode {
  const from = moments.at(-1)?.at ?? now
  const whole = Math.max(1, now - from)
  const missing = missingMs(spans, now)
  const without = missing === 0 ? 'never missing' : `missing for ${lastingText(missing)}`
  const said = `${spans.length} ${spans.length === 1 ? 'mirror' : 'mirrors'} since ${clockText(from)}, ${without}`
  return (
    <figure className={styles['strip']} aria-label={said}>
      <figcaption>{said}</figcaption>
      <div className={styles['track']} aria-hidden="true">
        {spans.map((span) => (
          <Span key={span.mirrorUid} span={span} from={from} now={now} />
        ))}
        {moments
          .filter(({ kind }) => kind === 'failed')
          .map(({ seq, at }) => (
            <span
              key={seq}
              className={styles['failure']}
              style={{ left: `${((at - from) / whole) * 100}%` }}
            />
          ))}
      </div>
      <div className={styles['times']} aria-hidden="true">
        <span>{clockText(from)}</span>
        <span className={styles['now']}>now, {clockText(now)}</span>
      </div>
    </figure>
  )
}

/** The comings and goings of the mirrors of one full name, newest first. */
export function MirrorHistory({
  cluster,
  moments,
  label,
}: {
  readonly cluster: string
  readonly moments: readonly MirrorMoment[]
  readonly label: string
}): ReactNode {
  const second = useTicking(cluster, (now) => Math.floor(now / 1000) * 1000, 0)
  const now = Math.max(second, moments[0]?.at ?? 0)
  return (
    // It scrolls, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles['scroller']} tabIndex={0} aria-label={label}>
      {moments.length === 0 ? (
        <p className={styles['none']}>
          No mirror of this name was created, deleted or linked since Nodescope started.
        </p>
      ) : (
        <>
          <Strip spans={mirrorSpans(moments)} moments={moments} now={now} />
          <ol className={styles['list']}>
            {moments.map((moment) => {
              const look = looks[moment.kind]
              return (
                <li key={moment.seq} className={styles['moment']}>
                  <time title={fullTimeText(moment.at)}>{preciseClockText(moment.at)}</time>
                  <span className={classNames(styles['kind'], styles[look.tone])}>
                    <Glyph name={look.glyph} />
                    {moment.kind}
                  </span>
                  <span className={styles['text']}>{moment.text}</span>
                  <span className={styles['uid']} title={moment.mirrorUid}>
                    {moment.mirrorUid === '' ? '' : shortId(moment.mirrorUid)}
                  </span>
                </li>
              )
            })}
          </ol>
        </>
      )}
    </section>
  )
}
