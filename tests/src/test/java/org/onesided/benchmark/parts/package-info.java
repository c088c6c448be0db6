/**
 * JMH benchmarks of the parts. Not part of the tests: {@code tests/run jmh} runs them. Those of what other packages keep
 * to themselves are in packages of the same names.
 */
package org.onesided.benchmark.parts;
