/**
 * The verbs API: devices, protection domains, memory regions, completion queues and queue pairs with the names and the
 * semantics of libibverbs. Numeric constants and the layouts of work requests and completions are libibverbs' own, so
 * that a device over real hardware passes them on untranslated.
 *
 * <p>Control verbs throw {@link org.onesided.verbs.VerbsException}. Data-path verbs (post, poll, request notify)
 * return an errno, as in C, and allocate nothing.
 *
 * <p>All objects but the flyweights are safe for use by several threads, as libibverbs' are. They are closed in the
 * reverse order of their creation; closing what is still in use fails with {@code EBUSY} and changes nothing.
 */
package org.onesided.verbs;
