/**
 * The binding for YCSB, the Yahoo! Cloud Serving Benchmark. Its class {@code OnesidedClient} needs YCSB's own jars on
 * the class path; nothing else of the tools uses them.
 */
package org.onesided.tools.ycsb;
