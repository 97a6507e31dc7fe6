/** The sections of the kubelet semantics that explanations lead to, each with what it is about. */
export const sections = {
  '0.4': 'Everything that a kubelet writes to the API server',
  '1.4': 'How a manifest becomes a static pod',
  '1.5': 'The file source: manifests in a folder',
  '1.6': 'The HTTP source: a manifest behind a URL',
  '1.7': 'The API source: list and watch of this node’s pods',
  '1.8': 'The UIDs in events',
  '2.1': 'What the pod manager holds',
  '2.2': 'Adding a pod to the pod manager, and linking UIDs',
  '2.3': 'Removing a pod from the pod manager',
  '3.1': 'Creating a mirror pod',
  '3.2': 'Deleting a mirror pod',
  '3.3': 'When mirrors are reconciled',
  '3.4': 'What happens to a mirror in each case',
  '3.5': 'Cleaning up orphaned mirrors',
  '4.2': 'The record of a pod worker',
  '4.3': 'The states of a pod worker',
  '4.4': 'UpdatePod: what an update does to the record',
  '4.5': 'How a worker starts an update, and which pod may start',
  '4.6': 'The effective grace period',
  '4.8': 'The loop of a pod worker',
  '4.9': 'Reuse of a UID',
  '4.10': 'SyncKnownPods: removing workers',
  '4.11': 'killPodNow, used by kill and eviction',
  '4.12': 'What the workers report to the rest of the kubelet',
  '4.13': 'What the sync functions do',
  '5.2': 'Merging a source into the config',
  '5.4': 'When all sources are ready',
  '5.5': 'The sync loop',
  '5.6': 'The handlers of the sync loop',
  '5.7': 'Admission',
  '5.8': 'Housekeeping',
  '5.9': 'Active deadline',
  '6.2': 'Writing into the status cache',
  '6.4': 'When statuses are sent',
  '6.5': 'Sending one status, and deleting the object',
  '6.6': 'How a status is merged with the API’s',
  '7.1': 'The steps of a runtime sync',
  '7.4': 'Back-off',
  '7.5': 'Images',
  '7.6': 'Stopping containers',
  '7.8': 'The reasons of containers',
  '7.14': 'PLEG: detecting runtime changes',
  '8.7': 'Evicting one pod',
  '8.10': 'Preemption at admission',
  '8.11': 'All the ways a pod can be stopped',
  '9.1': 'Registering the node',
  '9.3': 'When the node’s status is written',
  '9.4': 'The lease of the node',
  '9.7': 'An agent that says when it exits',
  '10': 'Graceful node shutdown',
} as const

/** `4.8`: a section of the kubelet semantics. */
export type Section = keyof typeof sections

/** What a section is about; empty for one that no explanation leads to. */
export function sectionTitle(section: string): string {
  return Object.hasOwn(sections, section)
    ? // `hasOwn` has just found it.
      sections[section as Section]
    : ''
}
