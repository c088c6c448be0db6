package org.onesided.tools.kvctl.rdma.machine;

/**
 * How bad a finding is.
 */
enum Level
{
    /** As it should be. */
    PASS,
    /** RDMA works, but something will be slow, small or out of reach. */
    WARN,
    /** RDMA does not work before this is put right. */
    FAIL,
    /** Could not be looked at, for the reason that another finding gives. */
    SKIP
}
