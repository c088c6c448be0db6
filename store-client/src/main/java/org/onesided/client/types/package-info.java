/**
 * Types of the API that its internal packages also use: callbacks and settings of the application, and information
 * about the server and the client's work. They depend on no other package of the client.
 */
@NullMarked
package org.onesided.client.types;

import org.jspecify.annotations.NullMarked;
