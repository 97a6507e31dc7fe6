import type { SchemaTable } from './schema-notation.ts'

/** apimachinery meta/v1: what every object has, and what requests carry. */
export const metaSchemas: SchemaTable = {
  ObjectMeta: {
    about: 'The metadata of every stored object: names, UID, labels and owners.',
    fields: {
      name: 'string | Unique within a namespace (or in the cluster) among objects of the kind; cannot be changed.',
      generateName:
        'string | A prefix from which the server makes a unique name when no name is given.',
      namespace:
        'string | The namespace in which the name is unique; empty for cluster-scoped objects.',
      selfLink: 'string | No longer set.',
      uid: 'string | Unique identifier, set by the server at creation.',
      resourceVersion: 'string | Changes with every write; compare for equality only.',
      generation: 'int64 | Counts the changes of the desired state.',
      creationTimestamp: 'time | When the server created the object.',
      deletionTimestamp:
        'time | When the object is to be deleted; set by the server on a graceful deletion, never removed.',
      deletionGracePeriodSeconds:
        'int64 | Seconds for graceful termination; can only be shortened.',
      labels: 'map:string | Keys and values by which objects are selected.',
      annotations: 'map:string | Keys and values for tools; not usable in selectors.',
      ownerReferences: '[]OwnerReference merge=uid | The objects this one depends on.',
      finalizers:
        '[]string merge | Must be empty before the object is removed; each is removed by its controller.',
      managedFields: '[]ManagedFieldsEntry | Which program set which fields.',
    },
  },
  OwnerReference: {
    about: 'Names an object that owns this one.',
    fields: {
      apiVersion: 'string! | API version of the owner.',
      kind: 'string! | Kind of the owner.',
      name: 'string! | Name of the owner.',
      uid: 'string! | UID of the owner.',
      controller: 'bool | Whether the owner is the controller of this object.',
      blockOwnerDeletion:
        'bool | Whether a foreground deletion of the owner waits for this object.',
    },
  },
  ManagedFieldsEntry: {
    about: 'The fields that one program set.',
    fields: {
      manager: 'string | The program.',
      operation: 'string | Apply or Update.',
      apiVersion: 'string | The API version of the fields.',
      time: 'time | When the program last changed them.',
      fieldsType: 'string | FieldsV1.',
      fieldsV1: 'object | The set of fields.',
      subresource: 'string | The subresource through which the fields were set.',
    },
  },
  Condition: {
    about: 'A condition of an object.',
    fields: {
      type: 'string!',
      status: 'string! | True, False or Unknown.',
      observedGeneration: 'int64 | The generation of the object that the condition describes.',
      lastTransitionTime: 'time! | When its status last changed.',
      reason: 'string! | Why, in one word for programs.',
      message: 'string! | Why, for people.',
    },
  },
  LabelSelector: {
    about: 'Selects by labels; every part must match.',
    fields: {
      matchLabels: 'map:string | Labels that must exist with these values.',
      matchExpressions: '[]LabelSelectorRequirement | Further requirements.',
    },
  },
  LabelSelectorRequirement: {
    about: 'One requirement on the labels.',
    fields: {
      key: 'string! | The label.',
      operator: 'string! | In, NotIn, Exists or DoesNotExist.',
      values: '[]string | For In and NotIn.',
    },
  },
  DeleteOptions: {
    about: 'How an object is to be deleted.',
    fields: {
      kind: 'string',
      apiVersion: 'string',
      gracePeriodSeconds:
        'int64 | Grace period in seconds; 0 deletes immediately, defaults to the grace period of the object.',
      preconditions: 'Preconditions | Preconditions of the deletion.',
      orphanDependents: 'bool | Superseded by propagationPolicy.',
      propagationPolicy: 'string | Orphan, Background or Foreground.',
      dryRun: '[]string | All: process the request without storing changes.',
      ignoreStoreReadErrorWithClusterBreakingPotential:
        'bool | Deletes an object that cannot be read.',
    },
  },
  Preconditions: {
    about: 'Preconditions of a deletion.',
    fields: {
      uid: 'string | The object must have this UID.',
      resourceVersion: 'string | The object must have this resourceVersion.',
    },
  },
}
