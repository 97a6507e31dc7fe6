import { kubectl, localFile, refused, sameFiles, type CommandScenario } from './command.ts'
import { isReady, runs, stays, until } from './containers.ts'

/** Every byte, in an order in which few of them are UTF-8, and longer than what is sent at once. */
const everyByte = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 31 + (at >> 8)) & 0xff)

const volume = { name: 'shared', emptyDir: {} }
const mount = { name: 'shared', mountPath: '/shared' }

function container(name: string): object {
  return { name, image: 'busybox:1.36', command: ['sh', '-c', stays], volumeMounts: [mount] }
}

const removesPrefix = /tar: removing leading '\/' from member names/

/** kubectl cp. */
export const copyCommands: readonly CommandScenario[] = [
  {
    title: 'kubectl cp copies files into a container and out of it',
    steps: [
      runs('copied', stays, {
        containers: [container('first'), container('second')],
        volumes: [volume],
      }),
      until(isReady, 'copied'),
      localFile('binary', everyByte),
      localFile('folder/text', 'Grüße\n'),
      localFile('folder/in/ner/empty', ''),
      localFile(`folder/${'long-'.repeat(30)}name`, 'a long name\n'),
      localFile('folder/ümlaut', 'a name that is not ASCII\n'),
      kubectl('cp <local>/binary copied:/tmp/binary -c first', { prints: /^$/ }),
      kubectl('exec copied -c first -- wc -c /tmp/binary', { prints: /^300000 \/tmp\/binary\n$/ }),
      kubectl('cp copied:/tmp/binary <local>/back -c first', { prints: removesPrefix }),
      sameFiles('binary', 'back'),
      kubectl('exec copied -c first -- cat /tmp/binary'),
      // Into a folder that is there, and into one that is not.
      kubectl('cp <local>/folder copied:/shared -c first', { prints: /^$/ }),
      kubectl('cp <local>/folder copied:/shared/new -c second', { prints: /^$/ }),
      kubectl('exec copied -c second -- cat /shared/folder/text', { prints: /^Grüße\n$/ }),
      kubectl('cp copied:/shared/folder <local>/out -c second', { prints: removesPrefix }),
      sameFiles('folder', 'out'),
      kubectl('cp <ns>/copied:shared/new <local>/other -c first', { prints: /^$/ }),
      sameFiles('folder', 'other'),
      kubectl('cp --no-preserve <local>/binary copied:/shared/binary -c first', { prints: /^$/ }),
      kubectl('cp --retries=2 copied:/shared/binary <local>/again -c second'),
      sameFiles('binary', 'again'),
      // Without -c: the first container, which is said.
      kubectl('cp <local>/binary copied:/tmp/default', {
        prints: /Defaulted container "first" out of: first, second/,
      }),
      kubectl("exec copied -c first -- sh -c 'wc -c < /tmp/default'", { prints: /^300000\n$/ }),
      refused('cp <local>/none copied:/tmp/x -c first', /none doesn't exist in local filesystem/),
      refused('cp <local>/binary copied:/tmp/x -c other', /container other is not valid for pod/),
      refused('cp <local>/binary missing:/tmp/x', /"missing" not found/),
      refused('cp <local>/binary <local>/x', /one of src or dest must be a remote file/),
    ],
  },
  {
    title: 'kubectl cp into a volume that is read-only',
    steps: [
      runs('readonly', stays, {
        containers: [
          {
            ...container('c'),
            volumeMounts: [{ ...mount, readOnly: true }],
          },
        ],
        volumes: [volume],
      }),
      until(isReady, 'readonly'),
      localFile('text', 'text\n'),
      kubectl('cp <local>/text readonly:/shared/text', {
        code: 1,
        prints: /tar: can't open 'text': Read-only file system/,
      }),
      kubectl('exec readonly -- ls /shared', { prints: /^$/ }),
    ],
  },
]
