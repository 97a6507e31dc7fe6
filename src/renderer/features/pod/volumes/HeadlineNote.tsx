import type { ReactNode } from 'react'
import type { VariableView } from '../../../../shared/model/inside-pod/pod-volumes.ts'
import { text } from '../../../text/text.ts'
import { Note } from '../../../ui/Note.tsx'
import type { Headline } from './headline.ts'

const words = text.pod.volumes.headline
const { since, state } = text.pod.volumes

function alsoText(variable: VariableView | undefined): string {
  if (variable === undefined) return ''
  const { source } = variable
  return source.kind === 'key' || source.kind === 'envFrom'
    ? words.alsoMissing(source.of, variable.state === 'keyMissing')
    : words.alsoRefused(variable.name)
}

function parts(
  headline: Headline,
  now: number,
): { readonly strong: string; readonly code: string; readonly rest: string } {
  switch (headline.kind) {
    case 'mount': {
      const { volume, failure, after } = headline
      const { firstAt, count, nextTryAt, message } = failure
      return {
        strong: `${words.failedMount(since(firstAt, now), count)}${state.nextTry(nextTryAt, now)}. `,
        code: words.mountFailure(volume, message),
        rest: [words.nothingStarts, alsoText(after)].join(' '),
      }
    }
    case 'start':
      return {
        strong: `${words.start(headline.container)}${words.nextSync(headline.nextTryAt, now)}`,
        code: headline.message,
        rest: words.fix,
      }
    case 'update':
      return {
        strong: `${words.update(headline.volume)}${state.nextTry(headline.failure.nextTryAt, now)}. `,
        code: headline.failure.message,
        rest: words.updateMeaning,
      }
    case 'next':
      return {
        strong: words[headline.isRunning ? 'next' : 'waiting'](headline.container),
        code: headline.variable.message,
        rest: headline.isRunning ? words.nextMeaning : '',
      }
  }
}

/** What holds the pod up, or would next. */
export function HeadlineNote({
  headline,
  now,
}: {
  readonly headline: Headline
  readonly now: number
}): ReactNode {
  const isError = headline.kind === 'mount' || headline.kind === 'start'
  const { strong, code, rest } = parts(headline, now)
  return (
    <Note variant={isError ? 'error' : 'warn'} icon={isError ? 'error' : 'warn'}>
      <p>
        <b>{strong}</b> <code>{code}</code>
      </p>
      {rest === '' ? null : <p>{rest}</p>}
    </Note>
  )
}
