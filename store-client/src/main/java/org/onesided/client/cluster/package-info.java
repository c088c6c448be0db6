/**
 * Which member of a cluster leads each partition, and how a partition's sessions find it.
 */
package org.onesided.client.cluster;
