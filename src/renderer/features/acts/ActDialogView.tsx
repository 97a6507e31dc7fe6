import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import type { Act, ActForecast } from '../../../shared/model/act.ts'
import { actTitle, forecastAct } from '../../../shared/model/forecast/forecast.ts'
import type { PodDetail } from '../../../shared/model/pod-detail.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { ActDialog } from '../../store/state.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState, useRow } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CommandLine } from '../../ui/CommandLine.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import type { IconName } from '../../ui/Icon.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Note } from '../../ui/Note.tsx'
import styles from '../../ui/ActDialog.module.css'
import { ForecastAxis } from './ForecastAxis.tsx'
import { ForecastLanes } from './ForecastLanes.tsx'
import { GraceField, isGrace } from './GraceField.tsx'
import { MirrorDeletion } from './MirrorDeletion.tsx'

const icons: Readonly<Record<Act, IconName>> = {
  kill: 'kill',
  evictByKubelet: 'node',
  evictThroughApi: 'evict',
  delete: 'trash',
  forceDelete: 'trash',
  deleteMirror: 'mirror',
  restartContainer: 'restart',
}

/** Whether the API server decides, or nothing is stopped: the dialog's sign is not red. */
function isMild(act: Act): boolean {
  return act === 'evictThroughApi' || act === 'deleteMirror'
}

function subjectOf({ namespace, name }: PodRow, { container }: ActDialog): string {
  const pod = `${namespace} / ${name}`
  return container === undefined ? pod : text.acts.container(container, pod)
}

function Head({ dialog }: { readonly dialog: ActDialog }): ReactNode {
  const row = useRow(dialog.key)
  const cluster = useAppState((state) => state.clusters.find((view) => view.id === row?.cluster))
  return (
    <div className={styles['head']}>
      <span className={classNames(styles['sign'], isMild(dialog.act) && styles['calm'])}>
        <Icon name={icons[dialog.act]} />
      </span>
      <div className={styles['names']}>
        <h2>{actTitle(dialog.act)}</h2>
        <p className={styles['pod']}>{row === undefined ? '' : subjectOf(row, dialog)}</p>
      </div>
      <span className={styles['where']}>
        {cluster?.label}, {row?.node}
      </span>
    </div>
  )
}

function graceRule(act: Act): string {
  return act === 'restartContainer' ? text.acts.grace.runtimeRule : text.acts.grace.rule
}

interface ForecastProps {
  readonly forecast: ActForecast
  readonly detail: PodDetail
  readonly grace: number | null
  readonly onGrace: (seconds: number | null) => void
}

function Forecast({ forecast, detail, grace, onGrace }: ForecastProps): ReactNode {
  return (
    <>
      <p className={styles['summary']}>{forecast.summary}</p>
      {forecast.takesGrace ? (
        <GraceField
          value={grace}
          specSeconds={detail.facts.specGraceSeconds}
          rule={graceRule(forecast.act)}
          onChange={onGrace}
        />
      ) : null}
      {forecast.act === 'deleteMirror' ? <MirrorDeletion value={grace} onChange={onGrace} /> : null}
      {forecast.lanes === null ? (
        <ForecastAxis forecast={forecast} />
      ) : (
        <ForecastLanes lanes={forecast.lanes} />
      )}
      {forecast.warnings.length === 0 ? null : (
        <Note variant="warn" icon="warn">
          {forecast.warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Note>
      )}
    </>
  )
}

function Body({ reasonId, ...props }: ForecastProps & { readonly reasonId: string }): ReactNode {
  const error = useAppState((state) => state.actError)
  const { forecast } = props
  return (
    <div className={styles['body']}>
      {forecast.isAllowed ? (
        <Forecast {...props} />
      ) : (
        <Note variant="error" icon="shield" id={reasonId}>
          <h3>{text.common.refused}</h3>
          <p>{forecast.refusal}</p>
        </Note>
      )}
      <dl className={styles['protections']}>
        {forecast.protections.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles['near']}>
        <span className={styles['label']}>{forecast.kubectl.caption}</span>
        <CommandLine line={forecast.kubectl.line} isWrapped />
      </div>
      {error === null ? null : (
        <Note variant="error" icon="error" isAlert>
          <p>{error.message}</p>
        </Note>
      )}
    </div>
  )
}

/** The forecast for the newest detail: the pod can change while the dialog is open. */
function useForecast(
  { act, key, container }: ActDialog,
  grace: number | null,
): { readonly detail: PodDetail; readonly forecast: ActForecast } | undefined {
  const detail = useAppState((state) => state.detail)
  const isLost = useAppState((state) => isCutOff(state.link))
  if (detail === null || detail.row.key !== key) return undefined
  const forecast = forecastAct(act, detail.facts, grace, container)
  return {
    detail,
    forecast: isLost ? { ...forecast, isAllowed: false, refusal: text.acts.lost } : forecast,
  }
}

/** The dialog before an act on a pod: what the act will do. */
export function ActDialogView({ dialog }: { readonly dialog: ActDialog }): ReactNode {
  const [grace, setGrace] = useState(dialog.graceSeconds)
  // While the typed grace is invalid, the forecast uses the pod's own.
  const isTyped = isGrace(grace)
  const known = useForecast(dialog, isTyped ? grace : null)
  const isGone = useAppState((state) => state.detailState === 'gone')
  const isActing = useAppState((state) => state.isActing)
  const cancelAct = useAppState((state) => state.cancelAct)
  const confirmAct = useAppState((state) => state.confirmAct)
  const reasonId = useId()
  const isRefused = isGone || known?.forecast.isAllowed !== true
  const isSafe = known?.forecast.isRestoredByKubelet === true
  return (
    <Dialog title={actTitle(dialog.act)} onClose={cancelAct}>
      <Head dialog={dialog} />
      {isGone ? (
        <div className={styles['body']}>
          <Note variant="error" icon="info" id={reasonId} isAlert>
            <p>{text.acts.podGone}</p>
          </Note>
        </div>
      ) : known === undefined ? (
        <p className={classNames(styles['body'], styles['wait'])}>{text.acts.loading}</p>
      ) : (
        <Body {...known} reasonId={reasonId} grace={grace} onGrace={setGrace} />
      )}
      <div className={styles['foot']}>
        <span className={styles['last']}>
          {isRefused ? '' : isSafe ? text.acts.isRecreated : text.acts.isFinal}
        </span>
        <span data-autofocus>
          <Button onClick={cancelAct}>{text.common.cancel}</Button>
        </span>
        <Button
          variant={isSafe ? 'primary' : 'dangerFill'}
          {...(isRefused ? { icon: 'shield' as const } : {})}
          isRefused={isRefused || isActing || !isTyped}
          refusedBecause={isRefused ? reasonId : undefined}
          onClick={() => void confirmAct(grace)}
        >
          {known?.forecast.confirm ?? actTitle(dialog.act)}
        </Button>
      </div>
    </Dialog>
  )
}
