/**
 * JMH benchmarks of the parts, which are no tests: {@code tests/run jmh} runs them. Benchmarks of package-private parts
 * are in the packages of those.
 */
package org.onesided.benchmark.parts;
