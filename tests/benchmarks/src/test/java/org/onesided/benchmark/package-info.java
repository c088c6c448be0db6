/**
 * Benchmarks of whole processes. Not part of the tests: {@code tests/vm/benchmark} runs them.
 */
package org.onesided.benchmark;
