/** One entry as klog writes it in text. `at`: `10:28:43.699113`. */
export interface EntryText {
  readonly at?: string
  readonly day?: string
  readonly pid?: number
  readonly severity?: 'I' | 'W' | 'E'
  readonly file?: string
  readonly message: string
  readonly values?: string
}

export function entryText(entry: EntryText): string {
  const {
    at = '10:00:00.000000',
    day = '1122',
    pid = 14_513,
    severity = 'I',
    file = 'kubelet.go:2515',
    message,
    values = '',
  } = entry
  const rest = values === '' ? '' : ` ${values}`
  return `${severity}${day} ${at} ${String(pid).padStart(7)} ${file}] "${message}"${rest}`
}

export const uid = '4e0c71f2-90d1-4c36-a2b5-d8d1f2c9e1aa'
export const podValues = `pod="shop/cart" podUID="${uid}"`

/** The life of one API pod at -v=4, one entry a second. */
export function lifeAtLevel4(): readonly string[] {
  const rows: readonly (readonly [message: string, values: string])[] = [
    ['SyncLoop ADD', 'source="api" pods=["shop/cart"]'],
    ['Pod is being synced for the first time', `${podValues} updateType="create"`],
    ['Processing pod event', `${podValues} updateType="sync"`],
    ['SyncPod enter', podValues],
    [
      'SyncLoop (PLEG): event for pod',
      `pod="shop/cart" event={"ID":"${uid}","Type":"ContainerStarted","Data":"aa"}`,
    ],
    ['SyncLoop DELETE', 'source="api" pods=["shop/cart"]'],
    ['Pod is marked for graceful deletion, begin teardown', podValues],
    [
      'Killing container with a grace period',
      `${podValues} containerName="c" containerID="containerd://aa" gracePeriod=30`,
    ],
    ['Pod termination stopped all running containers', podValues],
    ['Pod is complete and the worker can now stop', `podUID="${uid}"`],
    [
      'Pod has been terminated and is no longer known to the kubelet, remove all history',
      `podUID="${uid}"`,
    ],
  ]
  return rows.map(([message, values], second) =>
    entryText({ at: `10:00:${String(second).padStart(2, '0')}.000000`, message, values }),
  )
}
