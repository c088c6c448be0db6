/**
 * Models of protocols between the server's writer and readers by RDMA READ, small enough that all their states are
 * searched. A model comes before the code: what it allows is what the code may do.
 */
package org.onesided.model;
