import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { PluginRun, SeenView } from '../../../shared/model/seen-cluster.ts'
import { useWallSeconds } from '../../store/use-wall-seconds.ts'
import { text } from '../../text/text.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Banner } from './Banner.tsx'
import styles from './Banner.module.css'

const words = text.attention.plugin

/** Most plugins print nothing and end sooner. */
const silentMs = 2000

function Running({
  label,
  seen: { plugin },
  run: { startedAt, output },
}: {
  readonly label: string
  readonly seen: SeenView
  readonly run: PluginRun
}): ReactNode {
  const now = useWallSeconds()
  const said = output.trim()
  if (said === '' && now - startedAt < silentMs) return null
  const [address] = /https?:\/\/[^\s"'<>]+/.exec(said) ?? []
  return (
    <Banner title={words.title(label)} icon="term" isCalm since={startedAt}>
      <code>{plugin}</code>
      <output className={styles['output']}>{said === '' ? words.silent : said}</output>
      {address === undefined ? null : (
        <CopyButton value={address} label={words.copy} words={words.copy} />
      )}
    </Banner>
  )
}

/** What the credential plugin of a cluster prints while it runs: it may wait for the user to sign in. */
export function PluginBanner({
  cluster: { label, seen, recording },
}: {
  readonly cluster: ClusterView
}): ReactNode {
  if (seen === null || seen.pluginRun === null || recording !== null) return null
  return <Running label={label} seen={seen} run={seen.pluginRun} />
}
