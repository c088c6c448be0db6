/**
 * Committed entries take effect: {@code EntryApplier} executes them, {@code StagedValues} collects long values of which
 * the log has pieces, and {@code CannotApplyException} says that the shard cannot go on.
 */
package org.onesided.server.shard.apply;
