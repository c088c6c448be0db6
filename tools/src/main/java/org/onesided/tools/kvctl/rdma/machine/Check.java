package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;

/**
 * Checks one precondition of RDMA.
 */
interface Check
{
    /**
     * @return the findings; never empty.
     */
    List<Finding> findings();
}
