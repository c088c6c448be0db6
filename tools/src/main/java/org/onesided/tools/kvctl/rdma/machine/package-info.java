/**
 * What this machine has for RDMA: its devices, and checks that name what is missing.
 */
package org.onesided.tools.kvctl.rdma.machine;
