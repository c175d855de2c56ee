import type { AttachmentSource } from '../ports/attachmentSource';
import { agents } from './agents';
import { backgroundTasks } from './backgroundTasks';
import { deferred } from './deferredTools';
import { mcp } from './mcpServers';
import { plan } from './plan';
import { skills } from './skills';

/** What a compaction brings back, in the order of the new view (seed 2, 2.13). A new source is one line here. */
export const ATTACHMENT_SOURCES = [plan, skills, backgroundTasks, deferred, agents, mcp] as const satisfies readonly AttachmentSource[];
