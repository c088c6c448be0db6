/**
 * A client's leases: when it may believe the memory of a server of a cluster.
 */
package org.onesided.client.lease;
