/**
 * A client's leases: when it may believe the memory of a server of a cluster. In the making: nothing uses it yet.
 */
package org.onesided.client.lease;
