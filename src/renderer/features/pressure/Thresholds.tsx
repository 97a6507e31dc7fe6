import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Bridge, NodeRef } from '../../../shared/ipc/contract.ts'
import {
  settableSignals,
  thresholdFields,
  thresholdsYaml,
} from '../../../shared/model/pressure/threshold-texts.ts'
import type {
  ThresholdField,
  ThresholdProblem,
  ThresholdTexts,
} from '../../../shared/model/pressure/threshold-texts.ts'
import { requestResult } from '../../store/request-result.ts'
import { useAnswer } from '../../store/requests/use-answer.ts'
import { useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Note } from '../../ui/Note.tsx'
import { SectionTag } from '../../ui/signs/SectionTag.tsx'
import panel from './panel.module.css'
import styles from './Thresholds.module.css'

const words = text.pressure.thresholds

const ask = async (bridge: Bridge, node: NodeRef) => bridge.request('node.thresholds', node)

const check = async (bridge: Bridge, texts: NodeRef & { readonly texts: ThresholdTexts }) =>
  bridge.request('node.checkThresholds', texts)

/** Without the entries that are empty: a field that is cleared is not set. */
function withText(
  texts: ThresholdTexts,
  field: ThresholdField,
  signal: string,
  value: string,
): ThresholdTexts {
  const entries = Object.entries({ ...texts[field], [signal]: value }).filter(
    ([, one]) => one !== '',
  )
  return { ...texts, [field]: Object.fromEntries(entries) }
}

function Field({
  label,
  value,
  example,
  problem,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly example: string
  readonly problem: string
  readonly onChange: (value: string) => void
}): ReactNode {
  const id = `problem of ${label}`.replaceAll(/\W+/g, '-')
  return (
    <>
      <input
        type="text"
        aria-label={label}
        aria-invalid={problem !== ''}
        aria-describedby={problem === '' ? undefined : id}
        placeholder={example}
        value={value}
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
      {problem === '' ? null : (
        <p id={id} className={styles['problem']}>
          {problem}
        </p>
      )}
    </>
  )
}

interface FormProps {
  readonly texts: ThresholdTexts
  readonly problems: readonly ThresholdProblem[]
  readonly onChange: (texts: ThresholdTexts) => void
}

function problemAt(
  problems: readonly ThresholdProblem[],
  field: keyof ThresholdTexts,
  signal = '',
): string {
  return problems.find((one) => one.field === field && one.signal === signal)?.message ?? ''
}

function Signals({ texts, problems, onChange }: FormProps): ReactNode {
  const set = thresholdFields.flatMap((field) => Object.keys(texts[field]))
  const signals = [...new Set<string>([...settableSignals, ...set])]
  return (
    <table className={styles['table']} aria-label={words.title}>
      <thead>
        <tr>
          <th scope="col">{words.signal}</th>
          {thresholdFields.map((field) => (
            <th key={field} scope="col">
              {words.fields[field]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {signals.map((signal) => (
          <tr key={signal}>
            <th scope="row">{signal}</th>
            {thresholdFields.map((field) => (
              <td key={field}>
                <Field
                  label={words.of(words.fields[field], signal)}
                  value={texts[field][signal] ?? ''}
                  example={words.examples[field]}
                  problem={problemAt(problems, field, signal)}
                  onChange={(value) => onChange(withText(texts, field, signal, value))}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const others = [
  { field: 'evictionPressureTransitionPeriod', label: words.period, example: '5m0s' },
  { field: 'evictionMaxPodGracePeriod', label: words.maxGrace, example: '0' },
] as const

function Others({ texts, problems, onChange }: FormProps): ReactNode {
  return (
    <div className={styles['others']}>
      {others.map(({ field, label, example }) => (
        <div key={field}>
          <span aria-hidden="true">{label}</span>
          <Field
            label={label}
            value={texts[field]}
            example={example}
            problem={problemAt(problems, field)}
            onChange={(value) => onChange({ ...texts, [field]: value })}
          />
        </div>
      ))}
    </div>
  )
}

function File({ texts }: { readonly texts: ThresholdTexts }): ReactNode {
  const yaml = thresholdsYaml(texts)
  return (
    <section className={panel['panel']} aria-label={words.file}>
      <header>
        <h2>{words.file}</h2>
        <span />
        <CopyButton value={yaml} label={words.file} />
      </header>
      <pre className={styles['file']}>{yaml}</pre>
    </section>
  )
}

function Form({
  node,
  initial,
  onSet,
}: {
  readonly node: NodeRef
  readonly initial: ThresholdTexts
  readonly onSet: () => void
}): ReactNode {
  const { bridge, state } = useStore()
  const [texts, setTexts] = useState(initial)
  const [isSetting, setSetting] = useState(false)
  const [error, setError] = useState('')
  const { value } = useAnswer(words.request, { ...node, texts }, check)
  const problems = value ?? []
  const send = async (): Promise<void> => {
    setSetting(true)
    const answer = await requestResult(bridge.request('node.setThresholds', { ...node, texts }))
    setSetting(false)
    setError(answer.ok ? '' : answer.error.message)
    if (!answer.ok) return
    state.getState().addToast(answer.value.message)
    onSet()
  }
  const form = { texts, problems, onChange: setTexts }
  return (
    <div className={styles['thresholds']}>
      <section className={classNames(panel['panel'], panel['fill'])} aria-label={words.title}>
        <header>
          <h2>{words.title}</h2>
          <span />
          <Button
            isSmall
            variant="primary"
            isRefused={isSetting || problems.length > 0}
            onClick={() => void send()}
          >
            {isSetting ? words.setting : words.set}
          </Button>
          <Button isSmall onClick={() => setTexts(initial)}>
            {words.reset}
          </Button>
          <SectionTag section="eviction#thresholds" />
        </header>
        <p className={panel['none']}>{words.meaning}</p>
        {error === '' ? null : (
          <Note variant="error" icon="error" isAlert>
            <p>{error}</p>
          </Note>
        )}
        <div className={styles['scroll']}>
          <Signals {...form} />
          <Others {...form} />
        </div>
      </section>
      <File texts={texts} />
    </div>
  )
}

/** The eviction settings of the node's kubelet, which restarts with what is set. */
export function Thresholds({ node }: { readonly node: NodeRef }): ReactNode {
  const [times, setTimes] = useState(0)
  const { value } = useAnswer(words.request, node, ask, times)
  if (value === null) return <p className={panel['none']}>{words.loading}</p>
  return (
    <Form
      key={JSON.stringify(value)}
      node={node}
      initial={value}
      onSet={() => setTimes((before) => before + 1)}
    />
  )
}
