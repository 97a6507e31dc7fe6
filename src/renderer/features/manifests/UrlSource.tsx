import type { ReactNode } from 'react'
import type { SourceProblem } from '../../../shared/model/cluster-view.ts'
import type { ManifestsView } from '../../../shared/model/manifests.ts'
import { shownNode } from '../../store/shown-node.ts'
import { useAppState, useIsThere, useTicking } from '../../store/store-context.ts'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import { Note } from '../../ui/Note.tsx'
import { lastingText, secondsLeft } from '../../words/time.ts'
import { placeText } from './problem-place.ts'
import styles from './UrlSource.module.css'

type Url = NonNullable<ManifestsView['url']>

function Polls({ url, cluster }: { readonly url: Url; readonly cluster: string }): ReactNode {
  const { polledAt, nextPollAt } = url
  const said = useTicking(
    cluster,
    (now) => {
      if (polledAt === null) return 'not polled yet'
      const next = nextPollAt === null ? '' : `, again in ${secondsLeft(nextPollAt, now)} s`
      return `${lastingText(now - polledAt)} ago${next}`
    },
    '',
  )
  return <span className={styles['polls']}>{said}</span>
}

function PodLine({
  pod,
  cluster,
}: {
  readonly pod: Url['pods'][number]
  readonly cluster: string
}): ReactNode {
  const showMirror = useAppState((state) => state.showMirror)
  const node = useAppState((state) => shownNode(state)?.name ?? '')
  const isHere = useIsThere(`${cluster}/${node}/${pod.uid}`)
  const name = `${pod.namespace}/${pod.podName}`
  return (
    <li>
      {isHere ? (
        <button type="button" onClick={() => showMirror(pod.uid)} title="Show its mirror">
          {name}
        </button>
      ) : (
        name
      )}
    </li>
  )
}

const noProblems: readonly SourceProblem[] = []

/** Also while the same bytes come again, which the last answer tells nothing about. */
function Problems(): ReactNode {
  const problems = useAppState(
    (state) =>
      shownNode(state)?.sources.find(({ source }) => source === 'http')?.problems ?? noProblems,
  )
  if (problems.length === 0) return null
  return (
    <Note look="error" icon="error" isAlert>
      {problems.map((problem) => (
        <p key={problem.message}>
          {placeText(problem)}
          {problem.message}
        </p>
      ))}
    </Note>
  )
}

/** The third source, where one was given: what it answered last, and its pods. Only to be read. */
export function UrlSource({
  url,
  cluster,
}: {
  readonly url: Url
  readonly cluster: string
}): ReactNode {
  return (
    <section className={styles['source']} aria-label="Manifests from a URL">
      <h2>
        <Glyph name="http" className={styles['http']} />
        From a URL
      </h2>
      <p className={styles['address']}>{url.url}</p>
      <p className={styles['answer']}>
        {url.lastAnswer === '' ? 'no response yet' : url.lastAnswer}{' '}
        <Polls url={url} cluster={cluster} />
      </p>
      {url.pods.length === 0 ? (
        <p className={styles['none']}>No pods.</p>
      ) : (
        <ul>
          {url.pods.map((pod) => (
            <PodLine key={pod.uid} pod={pod} cluster={cluster} />
          ))}
        </ul>
      )}
      <Problems />
      <p className={styles['none']}>Edit it at its source; it is read-only here.</p>
    </section>
  )
}
