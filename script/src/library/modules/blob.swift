// Blobs of rows.
(blob o[]) blob_pack_rows_float(float A[][]) { foreach row, i in A { o[i] = blob_from_floats(row); } }
