/**
 * What {@code kvctl rdma} knows about this machine's RDMA devices: their listing, and the doctor's checks.
 */
package org.onesided.tools.kvctl.rdma;
