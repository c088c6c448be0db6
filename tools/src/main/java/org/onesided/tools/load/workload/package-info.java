/**
 * What is asked of a store under load: YCSB's mixes, properties, key names and distributions.
 */
package org.onesided.tools.load.workload;
