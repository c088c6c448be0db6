/**
 * {@code kvctl rdma} and the commands below it.
 */
package org.onesided.tools.kvctl.rdma;
