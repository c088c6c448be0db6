/**
 * The store over a real RDMA device, server and client in processes of their own.
 */
package org.onesided.endtoend.rdma;
