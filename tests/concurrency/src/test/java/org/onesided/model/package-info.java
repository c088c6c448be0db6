/**
 * Models of protocols, small enough that all their states are searched: between the server's writer and readers by RDMA
 * READ, and between the servers of a cluster and their clients. A model comes before the code: what it allows is what
 * the code may do.
 */
package org.onesided.model;
