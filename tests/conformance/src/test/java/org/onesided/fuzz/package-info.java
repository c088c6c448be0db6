/**
 * Fuzzing of every decoder: a mutator with a seed, a corpus in {@code src/test/resources/fuzz}, and one {@link
 * org.onesided.fuzz.FuzzTarget} for each decoder, in the package whose parts it needs.
 */
package org.onesided.fuzz;
